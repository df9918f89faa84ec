-- The first due executions of each account, account by account: a worker looks for accounts with few of them without reading past those
-- of an account with many.
create index engine_executions_due_by_account on engine_executions (account_id, work_priority desc, work_due_at)
  where work_state = 'queued' and work_due_at < 'infinity';
