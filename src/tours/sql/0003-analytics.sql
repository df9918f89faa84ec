-- One row for each time a visitor plays a tour, kept for 90 days: it makes every event count once.
create table tour_plays (
  tour_id text not null references tours (id) on delete cascade,
  play uuid not null,
  -- What was counted, as `event` or `event step`.
  counted text[] not null default '{}',
  -- The latest step of the tour that the visitor saw, by its place when they saw it.
  furthest_step text,
  furthest_weight integer,
  ended boolean not null default false,
  -- The step the visitor left at, and the day it was counted for; whoever comes back takes it back.
  dropped_step text,
  dropped_on date,
  settled boolean not null default false,
  last_at timestamptz not null,
  primary key (tour_id, play)
);

create index tour_plays_unsettled on tour_plays (last_at) where not settled;
create index tour_plays_age on tour_plays (last_at);

-- What stays: numbers for each tour and day, and for each of its steps.
create table tour_days (
  tour_id text not null references tours (id) on delete cascade,
  day date not null,
  views integer not null default 0,
  starts integer not null default 0,
  completions integer not null default 0,
  dismissals integer not null default 0,
  completion_seconds double precision not null default 0,
  completions_timed integer not null default 0,
  dismissal_seconds double precision not null default 0,
  dismissals_timed integer not null default 0,
  primary key (tour_id, day)
);

create table tour_step_days (
  tour_id text not null references tours (id) on delete cascade,
  step_id text not null,
  day date not null,
  views integer not null default 0,
  completions integer not null default 0,
  drop_offs integer not null default 0,
  seconds double precision not null default 0,
  timed integer not null default 0,
  primary key (tour_id, step_id, day)
);
