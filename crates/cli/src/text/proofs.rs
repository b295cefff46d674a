//! Certificates.

use bytesize::ByteSize;
use papamu::{CertInfoReport, CertReport};

use super::Text;
use crate::output::grouped;

impl Text for CertInfoReport {
    fn lines(&self) -> Vec<String> {
        match self {
            CertInfoReport::Nimbers { game, claim, nimbers } => vec![
                format!("claim      {game} {claim}"),
                format!("nimbers    {}", grouped(*nimbers)),
            ],
            CertInfoReport::Strategy {
                game,
                root,
                claim,
                records,
                budget,
                database,
                bytes,
                ..
            } => {
                let mut lines = vec![
                    format!("claim      {claim} {game} {root}"),
                    format!("positions  {} with their moves", grouped(*records)),
                ];
                if *budget > 0 {
                    lines.push(format!("left out   what a search of {budget} positions proves"));
                }
                if *database > 0 {
                    lines.push(format!("left out   all positions of size {database} or less"));
                }
                lines.push(format!("size       {}", ByteSize::b(*bytes)));
                lines.push(
                    "this is what it claims; papamu-check tells whether it is right".to_owned(),
                );
                lines
            }
        }
    }
}

impl Text for CertReport {
    fn lines(&self) -> Vec<String> {
        let [before, now] = [self.records_before, self.records].map(grouped);
        vec![format!("{}: {now} positions, there were {before}", self.file)]
    }
}
