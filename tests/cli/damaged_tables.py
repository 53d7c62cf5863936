"""Tables that cannot be read, with a marker in their cells before, in and after the damage.

Each has the exit code of its refusal, and words of the message.
"""

from forged_parquet import Column, columns_of, nested, parquet
from place import MARKER

DATA, LIMIT = 3, 7
HEADER = "age,ward,smoker,outcome\n"
ROWS = f"30,{MARKER},yes,well\n{MARKER},Heart,{MARKER},{MARKER}\n"


def sound_csv():
    return HEADER + ROWS


def damaged_csv():
    sound = sound_csv()
    return {
        "no bytes": (DATA, "is empty", ""),
        "bad UTF-8": (DATA, "UTF-8", sound.encode() + f"1,{MARKER}".encode() + b"\xff\xfe,yes,well\n"),
        "UTF-16": (DATA, "is UTF-16", sound.encode("utf-16")),
        "UTF-16 without a mark": (DATA, "NUL bytes", sound.encode("utf-16-be")),
        "NUL": (DATA, "NUL", sound + f"1,{MARKER}\0{MARKER},yes,well\n"),
        "open quote": (DATA, "quote", sound + f'1,"{MARKER}'),
        "short row": (DATA, "row 3", sound + f"{MARKER},{MARKER}\n"),
        "long row": (DATA, "row 3", sound + f"1,{MARKER},yes,well,{MARKER}\n"),
        "duplicate header": (DATA, "the same name", f"{HEADER.strip()},ward\n1,{MARKER},yes,well,{MARKER}\n"),
        "cells for a header, two alike": (DATA, "the same name", f"1,{MARKER},{MARKER},well\n" + ROWS),
        "empty header name": (DATA, "no name for column 3", f"age,ward,,outcome\n1,{MARKER},yes,well\n"),
        "no header": (DATA, "header", ROWS),
        "column missing": (DATA, "no column 'smoker'", f"age,ward,outcome\n1,{MARKER},well\n"),
        "column undeclared": (DATA, "does not name the column",
                              f"{HEADER.strip()},note\n1,Heart,yes,well,{MARKER}\n"),
        "a million columns": (LIMIT, "columns; at most",
                              MARKER + "," + ",".join(map(str, range(10**6))) + "\n" + ROWS),
        "endless field": (LIMIT, "more than 16 MiB", sound + '1,"' + MARKER * 1_400_000 + '",yes,well\n'),
    }


def forged_parquet(change_ward=lambda ward: None, **lies):
    columns = columns_of(sound_csv())
    change_ward(columns[1])
    return parquet(columns, **lies)


def forged_parquet_with_index(index):
    return forged_parquet(lambda ward: ward.with_dictionary(["Heart", MARKER], index))


def damaged_parquet():
    sound = forged_parquet()
    middle = sound.index(MARKER.encode())
    return {
        "no bytes": (DATA, "is empty", b""),
        "bad magic": (DATA, "does not start like one", b"RAP1" + sound[4:]),
        "not what its name says": (DATA, "footer", f"PAR1{MARKER * 20}PAR1".encode()),
        "CSV": (DATA, "does not start like one", sound_csv().encode()),
        "no footer": (DATA, "cut short", sound[:len(sound) // 2]),
        "cut footer": (DATA, "footer", sound[:-100] + sound[-8:]),
        "one row too many": (DATA, "number of rows", forged_parquet(rows=3)),
        "one row too few": (DATA, "number of rows", forged_parquet(rows=1)),
        "bad dictionary index": (DATA, "outside its dictionary", forged_parquet_with_index(2)),
        "bad length in a page": (DATA, "is damaged", sound[:middle - 4] + b"\xff\xff\xff\x7f" + sound[middle:]),
        "a page is gone": (DATA, "", sound[:middle] + sound[middle + 40:]),
        "nested column": (DATA, "is nested", forged_parquet(lambda ward: ward.repeated())),
        "nested without end": (LIMIT, "nested 100000 deep", forged_parquet(more_schema=nested(100_000))),
        "name that is no text": (DATA, "not UTF-8", parquet(
            [*columns_of(sound_csv()), Column(MARKER.encode() + b"\xff", [MARKER] * 2)])),
        "encrypted": (DATA, "is encrypted", forged_parquet(magic=b"PARE")),
        "unknown codec": (DATA, "compresses column 'ward'",
                          forged_parquet(lambda ward: ward.compressed_by(99))),
        "unknown codec that saves nothing": (DATA, "compresses column 'ward'",
                                             forged_parquet(lambda ward: ward.compressed_by(99, saved=0))),
        "decompression bomb": (LIMIT, "of memory", forged_parquet(lambda ward: ward.as_bomb(2000))),
        "duplicate column": (DATA, "two columns", parquet(
            columns_of(sound_csv().replace("smoker", "ward")))),
    }
