-- Failed executions, of all flows and of one, newest first: failures are rare, and a list of them must not read past all the others.
create index engine_executions_failed on engine_executions (id) where status = 'failed';
create index engine_executions_failed_by_flow on engine_executions (flow_id, id) where status = 'failed';
