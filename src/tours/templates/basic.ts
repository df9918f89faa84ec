import { defineTemplate } from './template.ts'

/** A short welcome tour for any front page. */
export const basic = defineTemplate({
  id: 'basic',
  label: 'Basic',
  description:
    'A short welcome for people who see the site for the first time, from hello to what comes next.',
  routes: ['<front>'],
  steps: [
    {
      id: 'welcome',
      label: 'Welcome',
      location: 'center',
      body: '<p>Good to have you here. In about a minute you will know where things are and what to do first.</p><p>Use <strong>Next</strong> or the arrow keys to go on. <strong>Escape</strong> ends the tour at any time.</p>',
    },
    {
      id: 'find_your_way',
      label: 'Find your way around',
      location: 'bottom',
      selector: 'header nav',
      candidates: ['nav[role="navigation"]', 'nav'],
      body: '<p>The menu leads to every part of the site. Wherever you are, it stays in the same place, and the name of the site brings you back here.</p>',
    },
    {
      id: 'what_is_new',
      label: 'What is on this page',
      location: 'top',
      selector: 'main',
      candidates: ['[role="main"]', '#main-content'],
      body: '<p>This is where the news is: the latest first. A headline opens the whole story.</p>',
    },
    {
      id: 'get_help',
      label: 'When you are stuck',
      location: 'top',
      selector: 'footer',
      candidates: ['[role="contentinfo"]'],
      body: '<p>Contact, terms and everything people look for once a year is down here. If something does not work, write to us: we would rather know.</p>',
    },
    {
      id: 'all_set',
      label: 'That is all',
      location: 'center',
      body: '<p>You are ready. A good first thing to do:</p><ol><li>sign in or make an account,</li><li>fill in your profile,</li><li>open what interests you most.</li></ol><p>You can take this tour again whenever you like.</p>',
    },
  ],
})
