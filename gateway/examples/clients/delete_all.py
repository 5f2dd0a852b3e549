import os

from jobs_delete import FileJournal, JobsDelete

with (
    JobsDelete(
        base_url=os.environ["JOBS_DELETE_URL"],
        token=os.environ["JOBS_DELETE_TOKEN"],
        secret_key=os.environ["JOBS_DELETE_SECRET_KEY"],
        origin="https://acme.example",
        user_agent="my-shop/1.0",
    ) as client,
    # The same program continues after a crash.
    FileJournal("expired.journal") as journal,
):
    report = client.delete_jobs(
        ["DEMO0100", "DEMO0101"],
        sandbox=True,
        # Deletes the other jobs if the account does not have one of them.
        on_refusal="split",
        journal=journal,
    )
    print(report.accepted_jobs, report.refused)
