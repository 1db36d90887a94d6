"""Runs a submission where it can do no harm, and judges its functions where it can change nothing.

`parallel_judging` has several submissions judged at a time. Each gets a `judge`, a process of its own that knows the
answers. It starts a `sandbox`, in which `inside` runs the submission's cells. Only plain data passes between the two:
see `message_format`.
"""
