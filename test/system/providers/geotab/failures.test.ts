import { failureSuite } from '../../../support/providers/failures/failure-suite.ts'
import { geotab } from '../../../support/providers/subjects/geotab-subject.ts'

failureSuite(geotab)
