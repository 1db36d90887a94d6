"""What the tests of lesson 0 need: every truth worked out a second time, on paper."""

RIGHT = {}

TRUTHS = {
    "start_here.strongest": "create",
    "start_here.how-many-shares": 20,
    "start_here.column-sum": "any",
    "start_here.several-heads": "ways",
    "start_here.read-a-share": "takes",
    "start_here.negative": "weights",
    "start_here.index": "2,0",
}
