-- expands: older programs leave the column null, and so do partitions that have finished
-- The account of a partition, so that a worker shares its slots between accounts.
alter table webhook_lanes add column account_id uuid;

update webhook_lanes as partition set account_id = webhook.account_id
from webhooks as webhook
where webhook.id = partition.webhook_id and partition.work_state <> 'finished';

-- The first due partitions of each account, account by account.
create index webhook_lanes_due_by_account on webhook_lanes (account_id, work_priority desc, work_due_at)
  where work_state = 'queued' and work_due_at < 'infinity';
