<?php
$jobIds = ['DEMO0100', 'DEMO0101'];
$jobs = implode('', array_map(fn ($id) => "<job><id>$id</id></job>", $jobIds));

$context = stream_context_create(['http' => [
    'method' => 'DELETE',
    'header' => [
        'Authorization: Bearer ' . getenv('JOBS_DELETE_TOKEN'),
        'Usersecretkey: ' . getenv('JOBS_DELETE_SECRET_KEY'),
        'Origin: ' . getenv('JOBS_DELETE_ORIGIN'),
        'Content-Type: application/xml',
        'Accept-Language: en',
        'User-Agent: my-shop/1.0',
        'X-Client-Lang: PHP',
    ],
    'content' => '<?xml version="1.0" encoding="UTF-8"?>' . "<jobs>$jobs</jobs>",
    'ignore_errors' => true,
]]);
echo file_get_contents(getenv('JOBS_DELETE_URL') . '/v1-sandbox/xml/jobs-delete', false, $context), "\n";
