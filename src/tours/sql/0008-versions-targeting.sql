-- Who gets a tour by itself, when, and how often. Programs of the release before ignore it.
alter table tours add column targeting jsonb not null
  default '{"conditions": [], "starts_at": null, "ends_at": null, "frequency": "once", "days": null}';

-- The content of a tour after each change. The table is bounded by the program: see versions/version-store.ts.
create table tour_versions (
  tour_id text not null references tours (id) on delete cascade,
  revision integer not null,
  -- created, saved, published, unpublished, restored
  kind text not null,
  content jsonb not null,
  saved_by_name text,
  saved_at timestamptz not null default now(),
  primary key (tour_id, revision)
);

-- How a user of a site ended a tour. The id of the user is not stored, only its hash with the salt of the site.
create table tour_visits (
  site_id text not null references tour_sites (id) on delete cascade,
  user_hash bytea not null,
  tour_id text not null references tours (id) on delete cascade,
  state text not null check (state in ('completed', 'dismissed')),
  ended_at timestamptz not null default now(),
  primary key (site_id, user_hash, tour_id)
);

create index tour_visits_age on tour_visits (ended_at);
create index tour_visits_of_site on tour_visits (site_id, ended_at);
create index tour_visits_of_tour on tour_visits (tour_id);

alter table tour_sites add column visitor_salt uuid not null default gen_random_uuid();
