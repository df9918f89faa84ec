-- expands: older programs add tours to the default site, and play the tours of all sites, until they are replaced
-- A site has tours of its own. Pages without a site belong to the default one, and the console of the platform is a site.
create table tour_sites (
  id text primary key check (id ~ '^[a-z0-9_-]{1,64}$'),
  label text not null,
  -- The addresses of the site, as {name, origin}; tours play on pages of these origins only. None: on any page.
  environments jsonb not null default '[]',
  updated_by_name text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index tour_sites_in_order on tour_sites (created_at, id);

insert into tour_sites (id, label) values ('default', 'Default site'), ('console', 'Console');

alter table tours add column site_id text not null default 'default' references tour_sites (id);

create index tours_of_site on tours (site_id);

update tours set site_id = 'console' where id = 'welcome' and created_by is null;
