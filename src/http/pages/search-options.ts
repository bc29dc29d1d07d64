/** Options of the search index of the guides. The build and the browser must use the same. */
export const SEARCH_OPTIONS = { fields: ['title', 'page', 'text'], storeFields: ['title', 'page'] }
