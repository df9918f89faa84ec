-- expands: older programs leave the column null
-- A name its owner gives a webhook, to tell several to the same receiver apart.
alter table webhooks add column name text check (length(name) between 1 and 100);
