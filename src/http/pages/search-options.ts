/** How the search index of the guides is built, and how the browser reads it. */
export const SEARCH_OPTIONS = { fields: ['title', 'page', 'text'], storeFields: ['title', 'page'] }
