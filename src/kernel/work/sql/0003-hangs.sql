-- Rows that the main loop of a worker worked on when it hung: their handlers give them up.
create table kernel_hangs (
  queue text not null,
  key text not null,
  count integer not null default 1,
  last_at timestamptz not null default now(),
  primary key (queue, key)
);
