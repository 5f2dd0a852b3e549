<?php
$jobIds = ['DEMO0100', 'DEMO0101'];
$jobs = array_map(fn ($id) => ['id' => $id], $jobIds);

$context = stream_context_create(['http' => [
    'method' => 'DELETE',
    'header' => [
        'Authorization: Bearer ' . getenv('JOBS_DELETE_TOKEN'),
        'Usersecretkey: ' . getenv('JOBS_DELETE_SECRET_KEY'),
        'Origin: ' . getenv('JOBS_DELETE_ORIGIN'),
        'Content-Type: application/json',
        'Accept-Language: en',
        'User-Agent: my-shop/1.0',
        'X-Client-Lang: PHP',
    ],
    'content' => json_encode(['jobs' => ['job' => $jobs]]),
    'ignore_errors' => true,
]]);
echo file_get_contents(getenv('JOBS_DELETE_URL') . '/v1-sandbox/json/jobs-delete', false, $context), "\n";
