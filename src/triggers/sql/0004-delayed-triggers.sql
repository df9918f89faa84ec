-- When the delayed events of a trigger are handled; null without any.
alter table triggers add column delayed_until timestamptz;

create index triggers_delayed on triggers (account_id, delayed_until) where delayed_until is not null;
