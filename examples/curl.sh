#!/usr/bin/env bash
# Adds a pet and walks the list, with curl.
set -euo pipefail
: "${PETSTORE_URL:?for example http://127.0.0.1:8080/v1}" "${PETSTORE_KEY:?an API key}"

folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
# Read from a file, the key is not in the list of processes.
printf 'Authorization: Bearer %s\n' "$PETSTORE_KEY" >"$folder/key"

# Prints the body of a response; its headers are in $folder/headers. curl itself retries 429 and 503, after the seconds that
# Retry-After says.
request() {
  curl --silent --show-error --fail-with-body --retry 5 --retry-connrefused --max-time 60 --header @"$folder/key" \
    --dump-header "$folder/headers" --output "$folder/body" "$@" || { cat "$folder/body" >&2 && return 1; }
  cat "$folder/body"
}

# The key is chosen once, and sent with every attempt: however often the request is retried, one pet is added.
added=$(request --header "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)" --header 'Content-Type: application/json' \
  --data '{"name": "Momo", "categoryId": 9223372036854775807, "status": "pending"}' "$PETSTORE_URL/pets")
# Text keeps every digit. Careful with jq before 1.7: it rounds large numbers.
echo "$added" | sed -E 's/.*"id":(-?[0-9]+),"name":"([^"]*)","categoryId":(-?[0-9]+).*/added \1 \2 \3/'

# The Link header has the URL of the next page; the last page has none.
count=0
next="$PETSTORE_URL/pets?limit=100"
while [ -n "$next" ]; do
  page=$(request "$next")
  count=$((count + $(grep -o '"id":' <<<"$page" | wc -l)))
  next=$(sed -nE 's/^link: <([^>]+)>; rel="next".*/\1/Ip' "$folder/headers")
done
echo "$count pets"
