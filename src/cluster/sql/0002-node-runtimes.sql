-- The runtime of a node that an operator added; null: a probe recognises it.
alter table cluster_nodes add column runtime text;
