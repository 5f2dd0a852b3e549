import json
import os
import random
import sys
import time
import uuid
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

job_ids = ["DEMO0100", "DEMO0101"]
body = json.dumps({"jobs": {"job": [{"id": job_id} for job_id in job_ids]}})
request = Request(
    os.environ["JOBS_DELETE_URL"] + "/v1-sandbox/json/jobs-delete",
    method="DELETE",
    data=body.encode("utf-8"),
    headers={
        "Authorization": "Bearer " + os.environ["JOBS_DELETE_TOKEN"],
        "Usersecretkey": os.environ["JOBS_DELETE_SECRET_KEY"],
        "Origin": os.environ["JOBS_DELETE_ORIGIN"],
        # The same key with each attempt: the jobs are deleted once.
        "Idempotency-Key": str(uuid.uuid4()),
        "Content-Type": "application/json",
        "Accept-Language": "en",
        "User-Agent": "my-shop/1.0",
        "X-Client-Lang": "Python",
    },
)


def send():
    """Returns the status, the seconds of Retry-After, and the body."""
    try:
        with urlopen(request, timeout=60) as response:
            return response.status, 0, response.read().decode("utf-8")
    except HTTPError as refusal:
        retry_after = refusal.headers.get("Retry-After", "")
        seconds = int(retry_after) if retry_after.isdigit() else 0
        return refusal.code, seconds, refusal.read().decode("utf-8")


def send_until_answered():
    for attempt in range(1, 7):
        try:
            status, retry_after, answer = send()
        except (OSError, HTTPException) as error:
            # Without an answer, the jobs may be deleted or not.
            status, retry_after, answer = 0, 0, repr(error)
        if status not in (0, 429, 502, 503, 504):
            break
        if attempt < 6:
            time.sleep(max(retry_after, random.uniform(0, 2**attempt)))
    return status, answer


status, answer = send_until_answered()
print(answer)
sys.exit(0 if status == 200 else 1)
