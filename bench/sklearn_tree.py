#!/usr/bin/env python3
"""How long scikit-learn's tree takes on the rows that `classifier_bench FILE.csv` writes.

    classifier_bench rows.csv && bench/sklearn_tree.py rows.csv

Nothing needs scikit-learn but this comparison (Debian: python3-sklearn). Categories are given to it
as codes, which is the least work for it; one-hot columns take it longer.
"""
import sys
import time

import numpy
import sklearn
from sklearn.tree import DecisionTreeClassifier

rows = numpy.loadtxt(sys.argv[1], delimiter=",")
inputs, labels = rows[:, :-1], rows[:, -1].astype(int)
best = float("inf")
for _ in range(5):
    tree = DecisionTreeClassifier(min_samples_split=20, min_samples_leaf=7, max_depth=30, random_state=1)
    start = time.process_time()
    tree.fit(inputs, labels)
    best = min(best, time.process_time() - start)
print(f"scikit-learn {sklearn.__version__}: {best:.4f} s for {len(rows)} rows, {tree.get_n_leaves()} leaves")
