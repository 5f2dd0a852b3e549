<?php
$url = getenv('JOBS_DELETE_URL') . '/v1-sandbox/json/jobs-delete';
$jobIds = ['DEMO0100', 'DEMO0101'];
$jobs = array_map(fn ($id) => ['id' => $id], $jobIds);
$request = stream_context_create(['http' => [
    'method' => 'DELETE',
    'header' => [
        'Authorization: Bearer ' . getenv('JOBS_DELETE_TOKEN'),
        'Usersecretkey: ' . getenv('JOBS_DELETE_SECRET_KEY'),
        'Origin: ' . getenv('JOBS_DELETE_ORIGIN'),
        // The same key with each attempt: the jobs are deleted once.
        'Idempotency-Key: ' . bin2hex(random_bytes(16)),
        'Content-Type: application/json',
        'Accept-Language: en',
        'User-Agent: my-shop/1.0',
        'X-Client-Lang: PHP',
    ],
    'content' => json_encode(['jobs' => ['job' => $jobs]]),
    'ignore_errors' => true,
    'timeout' => 60,
]]);

/** Returns the status, the seconds of Retry-After, and the body. */
function send(string $url, $request): array
{
    $answer = @fopen($url, 'r', false, $request);
    // Without an answer, the jobs may be deleted or not.
    if ($answer === false) return [0, 0, 'No answer.'];
    $headers = implode("\n", stream_get_meta_data($answer)['wrapper_data']);
    preg_match('/^HTTP\S+ (\d+)/', $headers, $status);
    preg_match('/^Retry-After: *(\d+)/mi', $headers, $retryAfter);
    return [(int) $status[1], (int) ($retryAfter[1] ?? 0), stream_get_contents($answer)];
}

for ($attempt = 1; ; $attempt++) {
    [$status, $retryAfter, $body] = send($url, $request);
    if (!in_array($status, [0, 429, 502, 503, 504]) || $attempt === 6) break;
    $backoff = mt_rand() / mt_getrandmax() * 2 ** $attempt;
    usleep((int) (1_000_000 * max($retryAfter, $backoff)));
}
echo $body, "\n";
exit($status === 200 ? 0 : 1);
