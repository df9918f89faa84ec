-- What an execution has had over all its leases: items, waits, stored bytes. Null: too little to be stored, or an older release ran it.
alter table engine_executions add column totals jsonb;
