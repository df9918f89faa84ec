-- Whether somebody watches the platform at work, in whichever process. One row, from the first time on.
create table orchestra_watchers (
  single    boolean     primary key default true check (single),
  -- The last event of the log before this watch began: what happened after it has been told without a gap.
  since_id  bigint      not null,
  until     timestamptz not null
);

-- What is not to be told again too soon, and when it was.
create table orchestra_told (
  name     text        primary key,
  told_at  timestamptz not null
);
