<?php
// A webhook receiver: verifies, answers at once, de-duplicates, and orders by timestamp. PHP 8.1 or newer with pdo_sqlite.
//
//     BOTIX_WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:4000 receiver.php

declare(strict_types=1);

const TOLERANCE = 5 * 60; // seconds

/** Whether BOTIX sent this, and just now. $body must be the bytes as they came, not JSON written anew. */
function is_genuine(string $secret, string $body): bool
{
    $sentAt = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!ctype_digit($sentAt) || abs(time() - (int) $sentAt) > TOLERANCE) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')), true);
    $signed = ($_SERVER['HTTP_WEBHOOK_ID'] ?? '') . '.' . $sentAt . '.' . $body;
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    // Several while a secret is being rotated; one that fits is enough.
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}

/** Does the work once for each event, however often it arrives. */
function handle(PDO $database, array $event): string
{
    $database->beginTransaction(); // the mark and the work are kept together or not at all
    $mark = $database->prepare('INSERT OR IGNORE INTO processed_events VALUES (?)');
    $mark->execute([$event['id']]);
    if ($mark->rowCount() === 0) {
        $database->rollBack();
        return 'duplicate';
    }
    if (in_array($event['type'], ['contact.created', 'contact.updated'], true)) {
        // Deliveries overtake each other: an older event must not overwrite a newer one.
        $database->prepare(
            'INSERT INTO contacts VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE
             SET seen_until = excluded.seen_until, data = excluded.data WHERE seen_until < excluded.seen_until'
        )->execute([$event['data']['id'], $event['timestamp'], json_encode($event['data'])]);
    }
    $database->commit();
    return 'processed';
}

$body = file_get_contents('php://input');
if (!is_genuine((string) getenv('BOTIX_WEBHOOK_SECRET'), $body)) {
    http_response_code(401); // goes to the inbox at once: nobody retries a wrong signature
    exit;
}
$database = new PDO('sqlite:' . (getenv('DATABASE') ?: sys_get_temp_dir() . '/botix-receiver.sqlite'));
$database->exec('CREATE TABLE IF NOT EXISTS processed_events (event_id TEXT PRIMARY KEY)');
$database->exec('CREATE TABLE IF NOT EXISTS contacts (id TEXT PRIMARY KEY, seen_until TEXT, data TEXT)');
$event = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
error_log(handle($database, $event) . ' ' . $event['id']);
http_response_code(204);
