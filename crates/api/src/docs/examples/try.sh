#!/bin/sh
# Sends a signed event to your receiver, as BOTIX does. Twice: the second one must change nothing.
#
#     BOTIX_WEBHOOK_SECRET=whsec_… sh try.sh http://127.0.0.1:4000/
set -eu

id=evt_01KSQ4ZP7V8M3F6T2X9BCDEHJK
now=$(date +%s)
body='{"id":"'$id'","type":"payment.succeeded","timestamp":"2026-05-22T14:37:00.123Z","project_id":"prj_01KSQ4ZP7V8M3F6T2X9BCDEHJK","data":{"id":"pay_1","amount":1990}}'

# X-Botix-Signature: the key is the secret exactly as shown.
own=$(printf %s "$body" | openssl dgst -sha256 -hmac "$BOTIX_WEBHOOK_SECRET" | sed 's/.* //')
# webhook-signature: the key is what follows whsec_, base64-decoded.
key=$(printf %s "${BOTIX_WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
standard=$(printf '%s.%s.%s' "$id" "$now" "$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)

for attempt in 1 2; do
    curl --silent --show-error --output /dev/null --write-out '%{http_code}\n' "$1" \
        -H 'Content-Type: application/json' \
        -H 'X-Botix-Event: payment.succeeded' \
        -H "X-Botix-Signature: $own" \
        -H "X-Delivery-Attempt: $attempt" \
        -H "webhook-id: $id" \
        -H "webhook-timestamp: $now" \
        -H "webhook-signature: v1,$standard" \
        --data-binary "$body"
done
