-- A text that was encrypted with the secret of this installation: a process with another secret finds out when it starts.
create table kernel_secret_check (
  is_single boolean primary key default true check (is_single),
  encrypted text not null,
  changed_at timestamptz not null default now()
);
