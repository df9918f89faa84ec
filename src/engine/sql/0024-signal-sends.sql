-- Events that were sent, with the number of waits that each one closed. A send that is repeated, because its sender got no response, finds
-- its row, and closes nothing. Also those of events that are not kept.
create table engine_signal_sends (
  id uuid primary key,
  matched integer not null,
  sent_at timestamptz not null default now()
);

create index engine_signal_sends_sent on engine_signal_sends (sent_at);
