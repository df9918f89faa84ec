-- Cancelled executions, newest first, like failed ones: they are rare, and a list of them must not read past all the others.
create index engine_executions_cancelled on engine_executions (id) where status = 'cancelled';
