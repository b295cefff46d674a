//! Strong tables of Konane boards.
pub(super) struct KonaneTables;
use crate::kit::*;
use crate::*;
use papamu_games::Konane;
use std::path::Path;
impl Tables<Konane> for KonaneTables {
    fn build(&self, _: &Build, _: &dyn Watch) -> Result<BuildReport, Error> {
        Err(Error::Check("tmp".into()))
    }
    fn open(&self, _: &Path) -> Result<Box<dyn OpenTable<Konane>>, Error> {
        Err(Error::Check("tmp".into()))
    }
    fn verify(&self, _: &Verify, _: &dyn Watch) -> Result<VerifyReport, Error> {
        Err(Error::Check("tmp".into()))
    }
    fn stats(&self, _: &Stats, _: &dyn Watch) -> Result<StatsReport, Error> {
        Err(Error::Check("tmp".into()))
    }
    fn train(&self, _: &Train, _: &dyn Watch) -> Result<TrainReport, Error> {
        Err(Error::Check("tmp".into()))
    }
}
