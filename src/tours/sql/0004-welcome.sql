-- What a new installation came with. A row stays when the tour is deleted, so that it does not come back.
create table tour_seeds (
  name text primary key,
  seeded_at timestamptz not null default now()
);
