-- The language of a tour's texts, as Drupal writes language codes.
alter table tours add column langcode text not null default 'en';
