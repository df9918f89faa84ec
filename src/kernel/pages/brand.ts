import { html } from './html.ts'

/** Logo and name, as in the console. */
export const brand = html`<svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true">
<rect width="32" height="32" rx="7" fill="#3b55c8"/>
<path d="M12 8v11.5a4.5 4.5 0 0 0 4.5 4.5M17 8v7.5a4.5 4.5 0 0 0 4.5 4.5M7.5 13h17" fill="none" stroke="#fff"
 stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/>
</svg><svg width="50" height="24" viewBox="0 0 50 24" fill="none" stroke="currentColor" stroke-width="2.1"
 stroke-linecap="round" stroke-linejoin="round" role="img" aria-label="Tutti">
<path d="M5.5 5v10.2a3.3 3.3 0 0 0 3.3 3.3h.7M2.5 9.2h6.7"/>
<path d="M14 9.2v5.6a3.7 3.7 0 0 0 7.4 0V9.2m0 5.6v3.7"/>
<path d="M29 5v10.2a3.3 3.3 0 0 0 3.3 3.3h.5M37.5 5v10.2a3.3 3.3 0 0 0 3.3 3.3h.7M26 9.2h15.2"/>
<path d="M46.5 9.2v9.3"/>
<circle cx="46.5" cy="5.1" r="1.35" fill="currentColor" stroke="none"/>
</svg>`
