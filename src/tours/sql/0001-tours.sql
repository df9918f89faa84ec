-- A tour is one row, its steps with it: whoever changes any of it locks the row, and two editors cannot mix theirs.
create table tours (
  id text primary key check (id ~ '^[a-z0-9_-]{1,64}$'),
  label text not null,
  status boolean not null default false,
  recipe_id text,
  routes jsonb not null default '[]',
  -- In the order they are shown.
  tips jsonb not null default '[]',
  launch text not null default 'auto' check (launch in ('auto', 'invite', 'manual')),
  -- One more with each change.
  revision integer not null default 1,
  created_by uuid,
  updated_by uuid,
  updated_by_name text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (not status or jsonb_array_length(tips) > 0)
);

create index tours_in_order on tours (created_at, id);
create index tours_published on tours (id) where status;
