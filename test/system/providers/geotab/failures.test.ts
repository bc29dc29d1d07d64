import { failureSuite } from '../../../support/providers/failure-suite.ts'
import { geotab } from '../../../support/providers/geotab-subject.ts'

failureSuite(geotab)
