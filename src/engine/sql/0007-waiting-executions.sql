-- Executions that wait for others of their account, without those that wait for approval: finding the accounts, and the next execution
-- of each, reads one entry and not all that are parked.
create index engine_executions_waiting on engine_executions (account_id, work_priority desc, id)
  where work_state = 'queued' and work_due_at = 'infinity' and approval is distinct from 'pending';
