-- The texts of a tour in further languages: a list of {langcode, label, tips: [{id, label, body}]}.
alter table tours add column translations jsonb not null default '[]';

-- How the player looks and speaks on the pages of a site: theme, texts, and origins of images and videos.
alter table tour_sites add column player jsonb not null default '{}';

-- Times the element of a step did not appear.
alter table tour_step_days add column missing integer not null default 0;
