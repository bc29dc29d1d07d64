/** Sources of the behaviours. */
export const REFERENCE = 'developer.gomotive.com and developer-docs.gomotive.com, reference pages'
export const GUIDES = 'developer.gomotive.com, guides with sample bodies'
export const DOCS_2017 = 'armdev/public_api_docs@9e7b18b, the documentation of 2017 with sample bodies'
export const FORUM = 'developer.gomotive.com, discussions and changelog'
export const CLIENTS = 'public code of clients'
export const UNCHECKED = 'not checked'
