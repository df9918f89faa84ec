-- Rows that were suspected to crash their worker: which worker works on the row at the moment, and how often one died meanwhile.
create table kernel_crashes (
  queue text not null,
  key text not null,
  count integer not null default 0,
  -- null: no worker works on it
  worker uuid,
  last_at timestamptz not null default now(),
  primary key (queue, key)
);
