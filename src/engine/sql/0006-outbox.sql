lock table engine_outbox in access exclusive mode;

-- One entry for each commit: a commit that is sent again, because its answer was lost, adds none.
delete from engine_outbox as later
using engine_outbox as earlier
where later.execution_id = earlier.execution_id and later.first_seq = earlier.first_seq and later.id > earlier.id;

alter table engine_outbox
  drop constraint engine_outbox_pkey,
  add primary key (execution_id, first_seq),
  -- accounts take turns; the default is for entries of replicas that do not know the column yet
  add column account_id uuid not null default '00000000-0000-0000-0000-000000000000',
  -- dispatches of this entry alone that failed, and when the next one is due
  add column attempts smallint not null default 0,
  add column due_at timestamptz not null default '-infinity';

create index engine_outbox_by_account on engine_outbox (account_id, id);

-- Entries of the outbox whose dispatch failed for good, for an operator to look at and to put back.
create table engine_dead_letters (
  execution_id uuid not null,
  first_seq integer not null,
  account_id uuid not null,
  attempts smallint not null,
  problem text not null,
  failed_at timestamptz not null default now(),
  primary key (execution_id, first_seq)
);
