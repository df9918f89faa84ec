-- expands: statements of older programs name kernel_events, which has the same columns and keys; they need no partition of their own
-- The table becomes the default partition of a partitioned table. Without other partitions no row has to be checked, so the lock is
-- short. The maintenance of partitions (src/kernel/partitions) turns it into the first partition of a range of ids.
alter table kernel_events rename to kernel_events_default;
alter index kernel_events_pkey rename to kernel_events_default_pkey;
alter index kernel_events_by_subject rename to kernel_events_default_by_subject;
alter index kernel_events_by_account rename to kernel_events_default_by_account;

create table kernel_events (
  like kernel_events_default including defaults including constraints,
  primary key (id)
) partition by range (id);
create index kernel_events_by_subject on kernel_events (subject, id) where subject is not null;
create index kernel_events_by_account on kernel_events (account, id) where account is not null;

alter table kernel_events attach partition kernel_events_default default;
