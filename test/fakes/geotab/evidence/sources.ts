/** Sources of the behaviours. */
export const ADAPTER = 'Geotab/mygeotab-api-adapter README and SCHEMA_REFERENCE'
export const SDKS = 'Geotab/mygeotab-python, Geotab/mg-api-js tests'
export const DOCS = 'developers.geotab.com, guides and object pages'
export const SAMPLES = 'fhoffa/geotab-vibe-guide, records of a demo database'
export const PROBES = 'andrewjordan3/fleetpull DESIGN.md, live captures of July 2026'
export const FAULTS = 'Diagnostic and FaultData records captured for public adapter tests, 2026'
export const UNCHECKED = 'general knowledge'
