-- How often each key was counted in its window. Unlogged: a count is worth no write to the disk, and one that is lost when
-- PostgreSQL crashes begins again. No index but the key, and room on the page, so that counting rewrites no index.
create unlogged table kernel_limits (
  -- SHA-256 of what is counted: addresses and account ids stay out of the table.
  key     bytea       primary key check (octet_length(key) = 32),
  -- Permits handed out in this window, to all replicas together.
  used    integer     not null check (used >= 0),
  -- How many of them the last statement handed out; it reads its answer here.
  granted integer     not null check (granted >= 0),
  -- In whole milliseconds, so that the program can name a window by it.
  ends_at timestamptz not null
) with (fillfactor = 70);
