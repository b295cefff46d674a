//! A game for tests of tables: walks of hundreds of plies, in classes, with circles, draws and an
//! entry that is no position. It can stop its own build at a chosen point.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use papamu_base::Stop;
use papamu_game::{Entry, Game, Indexed, NoOptions, NotationError, Player, PositionIndex};

/// Players walk in turn, in common, from room to room towards room 0, where the player to move
/// loses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Corridor {
    fuse: Option<Fuse>,
}

/// Stops a build when its index was asked for so many positions.
#[derive(Clone, Debug)]
struct Fuse {
    left: Arc<AtomicU64>,
    stop: Stop,
}

/// Boards are not told apart by when they stop.
impl PartialEq for Corridor {
    fn eq(&self, _: &Corridor) -> bool {
        true
    }
}

impl Corridor {
    pub(crate) fn that_stops(after: u64, stop: &Stop) -> Corridor {
        Corridor { fuse: Some(Fuse { left: Arc::new(after.into()), stop: stop.clone() }) }
    }
}

/// The rooms of a class.
const PER_CLASS: u32 = 130;
const CLASSES: u32 = 7;
/// From here on nobody jumps, so that walks in circles need not end.
const JUMPS_END: u32 = 800;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Room {
    room: u32,
    side: Player,
}

impl Game for Corridor {
    const NAME: &'static str = "corridor";
    const SUMMARY: &'static str = "Walk to room 0";
    const PLAYERS: [&'static str; 2] = ["x", "o"];
    const NOTATION: &'static str = "`all`, or the room, a space, `x` or `o` to move";
    const EXAMPLES: &'static [&'static str] = &["all"];
    const CYCLIC: bool = true;

    type Position = Room;
    type Move = u32;
    type Undo = u32;
    type Key = u64;
    type Options = NoOptions;

    fn read(text: &str) -> Result<(Corridor, Room), NotationError> {
        let problem = || NotationError::Position { text: text.into(), problem: String::new() };
        let (room, side) = match text.split_once(' ') {
            None if text == "all" => (PER_CLASS * CLASSES - 1, Player::First),
            Some((room, "x")) => (room.parse().map_err(|_| problem())?, Player::First),
            Some((room, "o")) => (room.parse().map_err(|_| problem())?, Player::Second),
            _ => return Err(problem()),
        };
        match room < PER_CLASS * CLASSES {
            true => Ok((Corridor::default(), Room { room, side })),
            false => Err(problem()),
        }
    }

    fn write(&self, position: &Room) -> String {
        format!("{} {}", position.room, Corridor::PLAYERS[position.side.index()])
    }

    fn write_move(&self, _: &Room, room: &u32) -> String {
        room.to_string()
    }

    fn to_move(&self, position: &Room) -> Player {
        position.side
    }

    /// One down, from odd rooms also three, from a few even ones also up.
    fn moves(&self, position: &Room, moves: &mut Vec<u32>) {
        let room = position.room;
        moves.extend(room.checked_sub(1));
        if room % 2 == 1 && room < JUMPS_END {
            moves.extend(room.checked_sub(3));
        }
        if room % 10 == 4 && (room + 1) / PER_CLASS == room / PER_CLASS {
            moves.push(room + 1);
        }
    }

    fn is_legal(&self, position: &Room, room: &u32) -> bool {
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        moves.contains(room)
    }

    fn play(&self, position: &mut Room, room: &u32) -> u32 {
        position.side = !position.side;
        std::mem::replace(&mut position.room, *room)
    }

    fn undo(&self, position: &mut Room, _: &u32, room: u32) {
        *position = Room { room, side: !position.side };
    }

    fn key(&self, position: &Room) -> u64 {
        u64::from(position.room) << 1 | position.side.index() as u64
    }
}

impl Indexed for Corridor {
    type Index = Rooms;

    fn board(&self) -> String {
        "all".to_owned()
    }

    fn index(&self, _: u32) -> Option<Rooms> {
        Some(Rooms(self.clone()))
    }
}

pub(crate) struct Rooms(Corridor);

impl PositionIndex<Corridor> for Rooms {
    fn layout(&self) -> &'static str {
        "room, side to move"
    }

    fn classes(&self) -> u32 {
        CLASSES
    }

    fn class_name(&self, class: u32) -> String {
        format!("from room {}", class * PER_CLASS)
    }

    fn stones(&self, _: u32) -> u32 {
        1
    }

    /// The last one is no position.
    fn entries(&self, _: u32) -> u64 {
        2 * u64::from(PER_CLASS) + 1
    }

    fn entry(&self, position: &Room) -> Option<Entry> {
        let (class, room) = (position.room / PER_CLASS, position.room % PER_CLASS);
        Some(Entry { class, index: 2 * u64::from(room) + position.side.index() as u64 })
    }

    fn position(&self, entry: Entry) -> Option<Room> {
        if let Some(fuse) = &self.0.fuse
            && fuse.left.fetch_sub(1, Ordering::Relaxed) == 0
        {
            fuse.stop.set();
        }
        let side = if entry.index.is_multiple_of(2) { Player::First } else { Player::Second };
        let room = entry.class * PER_CLASS + (entry.index / 2) as u32;
        (entry.index < 2 * u64::from(PER_CLASS)).then_some(Room { room, side })
    }

    fn has_unmoves(&self) -> bool {
        true
    }

    fn predecessors(&self, position: &Room, predecessors: &mut Vec<Room>) {
        let class = position.room / PER_CLASS;
        let near = position.room.saturating_sub(1)..=position.room + 3;
        let before = near.map(|room| Room { room, side: !position.side });
        predecessors.extend(before.filter(|before| {
            before.room / PER_CLASS == class && self.0.is_legal(before, &position.room)
        }));
    }
}
