-- expands: statements of older programs name model_calls, which has the same columns and keys; they need no partition of their own
-- The table becomes the default partition of a partitioned table. Without other partitions no row has to be checked, so the lock is
-- short. The maintenance of partitions (src/kernel/partitions) turns it into the first partition of a range of time.
alter table model_calls rename to model_calls_default;
alter index model_calls_pkey rename to model_calls_default_pkey;
alter index model_calls_by_account rename to model_calls_default_by_account;
alter index model_calls_by_execution rename to model_calls_default_by_execution;
alter index model_calls_by_key rename to model_calls_default_by_key;

create table model_calls (
  like model_calls_default including defaults including constraints,
  primary key (id)
) partition by range (id);
create index model_calls_by_account on model_calls (account_id, id);
create index model_calls_by_execution on model_calls (execution_id) where execution_id is not null;
create index model_calls_by_key on model_calls (key_id, id) where key_id is not null;

alter table model_calls attach partition model_calls_default default;
