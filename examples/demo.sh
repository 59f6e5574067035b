#!/usr/bin/env bash
# The main job on real input: a million records through every format, typed, and back again; then as objects of Python.
#   demo.sh DEMAT PYTHON [RECORDS]
set -euo pipefail

demat=$1
python=$2
records=${3:-1000000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { printf '\n%s\n' "$*"; }
now() { date +%s%N; }

# copy FROM TO [OPTION …]: copies one file to another and says how fast.
copy() {
  local from=$work/$1 to=$work/$2 start end bytes
  shift 2
  start=$(now)
  "$demat" copy "$from" "$to" "$@"
  end=$(now)
  bytes=$(stat -c %s "$from")
  awk -v from="${from##*/}" -v to="${to##*/}" -v bytes="$bytes" -v ns=$((end - start)) -v records="$records" 'BEGIN {
    printf "  %-18s -> %-18s %7.1f MB in %5.0f ms  %6.0f MB/s  %5.1f M records/s\n",
      from, to, bytes / 1e6, ns / 1e6, bytes * 1e3 / ns, records * 1e3 / ns }'
}

say "A million records as JSON (made by awk):"
awk -v n="$records" 'BEGIN {
  printf "["
  for (i = 1; i <= n; i++) printf("%s{\"hi\":%d,\"there\":%d,\"comment\":\"comment\"}", (i > 1 ? "," : ""), i, 2 * i)
  printf "]\n" }' > "$work/records.json"
ls -l "$work/records.json" | awk '{ print "  " $5 " bytes" }'

say "What is in it:"
"$demat" schema "$work/records.json" | sed 's/^/  /'
"$demat" head -n 3 "$work/records.json" | sed 's/^/  /'

say "Typed, streaming, with no object in between:"
copy records.json records.csv
copy records.csv records.ndjson --infer
copy records.ndjson back.json
copy records.ndjson records.csv.gz
copy records.csv.gz records.json.zst --infer
copy records.json.zst again.json

say "And nothing was lost:"
cmp "$work/records.json" "$work/back.json"
cmp "$work/records.json" "$work/again.json"
echo "  records.json, back.json and again.json are the same to the byte."

say "A bad record is told with its place:"
printf '{"id":1,"title":"one"}\n{"id":"two","title":"two"}\n{"id":3,"title":"three"}\n' > "$work/tasks.ndjson"
"$demat" copy "$work/tasks.ndjson" - --to csv --shape 'id:int, title:text' 2>&1 | sed 's/^/  /' || true
say "… or left out and kept for later:"
"$demat" copy "$work/tasks.ndjson" - --to csv --shape 'id:int, title:text' --on-error skip --rejects "$work/rejects.ndjson" \
  2>/dev/null | sed 's/^/  /' || true
sed 's/^/  rejected: /' "$work/rejects.ndjson"

"$python" "$(dirname "$0")/demo.py" "$work/records.json"
