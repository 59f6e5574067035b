from demat import csv as csv
from demat import json as json
from demat import ndjson as ndjson

class Hook: ...
