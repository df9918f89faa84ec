-- A recipe that tours are exported to again and again: one folder, with the tours as they were when each was last exported.
create table tour_recipes (
  id text primary key check (id ~ '^[a-z0-9]+(_[a-z0-9]+)*$' and length(id) <= 64),
  name text not null,
  description text not null,
  -- By id: all that a recipe's files are made of.
  tours jsonb not null default '{}',
  -- One more with each export.
  revision integer not null default 1,
  created_by uuid,
  updated_by_name text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index tour_recipes_in_order on tour_recipes (created_at, id);

alter table tours
  add constraint tours_recipe foreign key (recipe_id) references tour_recipes (id) on delete set null;

create index tours_of_recipe on tours (recipe_id) where recipe_id is not null;

-- Files that wait to be fetched. Whoever has the token has the file, so that only its hash is kept.
create table tour_exports (
  token_hash text primary key,
  account_id uuid,
  filename text not null,
  media_type text not null,
  content bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create index tour_exports_expiry on tour_exports (expires_at);
create index tour_exports_of_account on tour_exports (account_id, created_at);
