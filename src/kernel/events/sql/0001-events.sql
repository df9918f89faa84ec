-- One row whose lock orders all appenders: whoever draws an id commits before the next one can draw.
-- Room is left on its page so that the many new versions of the row stay there (heap-only updates).
create table kernel_event_clock (
  only_row boolean primary key default true check (only_row),
  last_id bigint not null
) with (fillfactor = 10);

insert into kernel_event_clock (last_id) values (0);

create table kernel_events (
  id bigint primary key,
  type text not null,
  subject text,
  account text,
  data jsonb not null,
  created_at timestamptz not null
);

-- No index on type: readers by type walk the log from their cursor, and every index is paid on every append.
create index kernel_events_by_subject on kernel_events (subject, id) where subject is not null;
create index kernel_events_by_account on kernel_events (account, id) where account is not null;
