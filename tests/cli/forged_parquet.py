"""Parquet files, sound or with lies in them that no writer would write; texts only, one row group."""

import struct
import zlib

# Numbers of the format: https://github.com/apache/parquet-format
I32, I64, BINARY, LIST, STRUCT = 5, 6, 8, 9, 12
BYTE_ARRAY, REQUIRED, REPEATED, UTF8 = 6, 0, 2, 0
PLAIN, RLE_DICTIONARY = 0, 8
DATA_PAGE, DICTIONARY_PAGE = 0, 2
UNCOMPRESSED, GZIP = 0, 2


def varint(number):
    low, rest = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + varint(rest) if rest else bytes([low])


def value(kind, content):
    """In Thrift's compact form. A list is (kind, items), a struct is {field: (kind, value)}."""
    if kind in (I32, I64):
        return varint(content << 1 if content >= 0 else (-content << 1) - 1)
    if kind == BINARY:
        return varint(len(content)) + content
    if kind == LIST:
        inner, items = content
        size = bytes([len(items) << 4 | inner]) if len(items) < 15 else bytes([0xF0 | inner]) + varint(len(items))
        return size + b"".join(value(inner, item) for item in items)
    fields, before = b"", 0
    for number, (inner, item) in content.items():
        fields += bytes([(number - before) << 4 | inner]) + value(inner, item)
        before = number
    return fields + b"\0"


def page(kind, rows, encoding, content, unpacked=None):
    details = {1: (I32, rows), 2: (I32, encoding)}
    if kind == DATA_PAGE:
        details |= {3: (I32, 3), 4: (I32, 3)}
    header = {1: (I32, kind), 2: (I32, unpacked or len(content)), 3: (I32, len(content)),
              5 if kind == DATA_PAGE else 7: (STRUCT, details)}
    return value(STRUCT, header) + content


def plain(texts):
    return b"".join(struct.pack("<I", len(text)) + text for text in map(str.encode, texts))


class Column:
    def __init__(self, name, texts):
        self.name, self.rows = name if isinstance(name, bytes) else name.encode(), len(texts)
        self.codec, self.saved = UNCOMPRESSED, 0
        self.dictionary, self.repetition = b"", REQUIRED
        self.data = page(DATA_PAGE, self.rows, PLAIN, plain(texts))

    def repeated(self):
        """A list in every row, as far as the schema says."""
        self.repetition = REPEATED
        return self

    def with_dictionary(self, texts, index):
        """Every row has the same index into the dictionary, or beyond it."""
        self.dictionary = page(DICTIONARY_PAGE, len(texts), PLAIN, plain(texts))
        width = max(1, index.bit_length())
        run = bytes([width]) + varint(self.rows << 1) + index.to_bytes((width + 7) // 8, "little")
        self.data = page(DATA_PAGE, self.rows, RLE_DICTIONARY, run)
        return self

    def compressed_by(self, codec, saved=1):
        """As it says; its bytes are as they were."""
        self.codec, self.saved = codec, saved
        return self

    def as_bomb(self, mebibytes):
        """One page of spaces, a thousandth of its size in the file."""
        packer = zlib.compressobj(9, wbits=31)
        start = packer.compress(b" " * (1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
        again = packer.compress(b" " * (1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
        packed = start + again * (mebibytes - 1)
        self.codec, self.saved = GZIP, (mebibytes << 20) - len(packed)
        self.data = page(DATA_PAGE, self.rows, PLAIN, packed, unpacked=mebibytes << 20)
        return self

    def metadata(self, at):
        size = len(self.dictionary) + len(self.data)
        fields = {1: (I32, BYTE_ARRAY), 2: (LIST, (I32, [PLAIN, RLE_DICTIONARY])),
                  3: (LIST, (BINARY, [self.name])), 4: (I32, self.codec), 5: (I64, self.rows),
                  6: (I64, size + self.saved), 7: (I64, size), 9: (I64, at + len(self.dictionary))}
        if self.dictionary:
            fields[11] = (I64, at)
        return {2: (I64, at), 3: (STRUCT, fields)}

    def schema(self):
        return {1: (I32, BYTE_ARRAY), 3: (I32, self.repetition), 4: (BINARY, self.name), 6: (I32, UTF8)}


def columns_of(csv):
    names, *rows = [line.split(",") for line in csv.splitlines()]
    return [Column(name, texts) for name, texts in zip(names, zip(*rows))]


def nested(depth):
    """A column that is so many groups in groups, as far as the schema says: its elements."""
    group = {3: (I32, REQUIRED), 4: (BINARY, b"g"), 5: (I32, 1)}
    leaf = {1: (I32, BYTE_ARRAY), 3: (I32, REQUIRED), 4: (BINARY, b"leaf")}
    return [group] * depth + [leaf]


def parquet(columns, rows=None, magic=b"PAR1", more_schema=()):
    """`rows`: what the footer claims. `more_schema`: the elements of one more column, without any data."""
    body, chunks = magic, []
    for column in columns:
        chunks.append(column.metadata(len(body)))
        body += column.dictionary + column.data
    rows = columns[0].rows if rows is None else rows
    root = {4: (BINARY, b"schema"), 5: (I32, len(columns) + bool(more_schema))}
    group = {1: (LIST, (STRUCT, chunks)), 2: (I64, len(body)), 3: (I64, rows)}
    footer = value(STRUCT, {1: (I32, 1), 2: (LIST, (STRUCT, [root, *(c.schema() for c in columns), *more_schema])),
                            3: (I64, rows), 4: (LIST, (STRUCT, [group]))})
    return body + footer + struct.pack("<I", len(footer)) + magic
