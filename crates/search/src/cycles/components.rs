//! Innermost circles of a graph: strongly connected components that no edge leaves.

use hashbrown::HashMap;

/// A node on its way.
#[derive(Clone, Copy)]
struct Visit {
    /// In the order of visits.
    number: u32,
    /// The least number that is known to be in the same component.
    low: u32,
    /// Its component is complete.
    is_done: bool,
}

/// The strongly connected components that can be reached from a root and that no edge leaves
/// (R. Tarjan, 1972). `next` appends the nodes after a node.
pub(crate) fn innermost(root: u32, next: impl Fn(u32, &mut Vec<u32>)) -> Vec<Vec<u32>> {
    let mut found = Vec::new();
    let mut visits: HashMap<u32, Visit> = HashMap::new();
    // The nodes whose components are not complete, and the path to the current one with the nodes
    // that are still to be seen. An edge that leaves a component makes it not innermost.
    let (mut pending, mut path) = (Vec::new(), Vec::new());
    let enter = |node: u32, visits: &mut HashMap<u32, Visit>, pending: &mut Vec<u32>| {
        let number = visits.len() as u32;
        visits.insert(node, Visit { number, low: number, is_done: false });
        pending.push(node);
        let mut after = Vec::new();
        next(node, &mut after);
        (node, after, false)
    };
    path.push(enter(root, &mut visits, &mut pending));
    while let Some((node, after, leaves)) = path.last_mut() {
        let node = *node;
        if let Some(child) = after.pop() {
            match visits.get(&child) {
                None => path.push(enter(child, &mut visits, &mut pending)),
                Some(visit) if visit.is_done => *leaves = true,
                Some(&Visit { number, .. }) => lower(&mut visits, node, number),
            }
            continue;
        }
        let leaves = *leaves;
        path.pop();
        let Some(&Visit { number, low, .. }) = visits.get(&node) else { continue };
        let is_first = low == number;
        if let Some((parent, _, parent_leaves)) = path.last_mut() {
            // The edge from the parent leaves its component, or the node is in the same one.
            *parent_leaves |= is_first || leaves;
            lower(&mut visits, *parent, low);
        }
        if is_first {
            let start = pending.iter().rposition(|&other| other == node).unwrap_or(0);
            let component = pending.split_off(start);
            for node in &component {
                visits.entry(*node).and_modify(|visit| visit.is_done = true);
            }
            if !leaves {
                found.push(component);
            }
        }
    }
    found
}

fn lower(visits: &mut HashMap<u32, Visit>, node: u32, low: u32) {
    visits.entry(node).and_modify(|visit| visit.low = visit.low.min(low));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn reachable(edges: &[Vec<u32>], from: u32) -> Vec<bool> {
        let (mut seen, mut open) = (vec![false; edges.len()], vec![from]);
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut seen[node as usize], true) {
                open.extend(&edges[node as usize]);
            }
        }
        seen
    }

    proptest! {
        /// A node is in an innermost component if all nodes after it lead back to it.
        #[test]
        fn components_are_innermost(
            edges in prop::collection::vec(prop::collection::vec(0..12_u32, 0..4), 12)
        ) {
            let mut found = innermost(0, |node, next| next.extend(&edges[node as usize]));
            found.iter_mut().for_each(|component| component.sort_unstable());
            found.sort();
            let all: Vec<Vec<bool>> = (0..12).map(|node| reachable(&edges, node)).collect();
            let leads = |from: u32, to: u32| all[from as usize][to as usize];
            let after = |node: u32| (0..12).filter(move |&other| leads(node, other));
            let mut expected: Vec<Vec<u32>> = after(0)
                .filter(|&node| after(node).all(|other| leads(other, node)))
                .map(|node| after(node).collect())
                .collect();
            expected.sort();
            expected.dedup();
            prop_assert_eq!(found, expected);
        }
    }
}
